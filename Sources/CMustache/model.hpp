/// What a parsed template and a model are made of.
#pragma once

#include "include/mustache_shim.h"

#include <deque>
#include <kainjow/mustache.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace km = kainjow::mustache;

/// An object as the library sees it: a value that renders as nothing, is
/// true as a section, and leads back to its container.
struct object_reference {
    const mustache_container *container;
    std::string operator()() const { return {}; }
};

struct mustache_container {
    mustache_model *model;
    /// What an object holds, in order; the last of a name counts.
    std::vector<std::pair<std::string, const km::data *>> fields;
    /// What a list holds; NULL for an object.
    km::data *list = nullptr;
    /// What stands for an object in the one it is a member of.
    const km::data reference{km::partial{object_reference{this}}};

    explicit mustache_container(mustache_model *model) : model(model) {}
    mustache_container(const mustache_container &) = delete;
};

/// The two values that need no place of their own.
static const km::data yes{true}, no{false};

/// A list inside a list: moved to its place when all is built, because the
/// library keeps elements by value and they move while a list grows.
struct nested_list {
    km::data *outer;
    size_t index;
    km::data *inner;
};

/// Deques, because what they hold never moves; with counts of what is in use,
/// because the next rendering takes the same memory.
struct mustache_model {
    std::deque<km::data> texts;
    std::deque<km::data> lists;
    std::deque<mustache_container> containers;
    size_t texts_used = 0;
    size_t lists_used = 0;
    size_t containers_used = 1;
    std::vector<nested_list> nested;

    mustache_model() { containers.emplace_back(this); }
};

struct mustache_template {
    km::mustache parsed;
    std::map<std::string, km::data> partials;
    std::string output;
    std::string error;

    explicit mustache_template(const std::string &text) : parsed(text) {
        if (!parsed.is_valid()) error = parsed.error_message();
    }
};
