/// Data structures of parsed templates and models.
#pragma once

#include "include/mustache_shim.h"

#include <deque>
#include <kainjow/mustache.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace km = kainjow::mustache;

/// Represents an object to the library: a value that renders as nothing, is true as a section, and
/// refers to its container.
struct object_reference {
    const mustache_container *container;
    std::string operator()() const { return {}; }
};

struct mustache_container {
    mustache_model *model;
    /// The members of an object, in order; the last one of a name counts.
    std::vector<std::pair<std::string, const km::data *>> fields;
    /// The elements of a list; NULL for an object.
    km::data *list = nullptr;
    /// The value that represents this object in its parent.
    const km::data reference{km::partial{object_reference{this}}};

    explicit mustache_container(mustache_model *model) : model(model) {}
    mustache_container(const mustache_container &) = delete;
};

/// The two shared values, which need no storage in a model.
static const km::data yes{true}, no{false};

/// A list inside a list. It is moved into the outer list after building, because the library stores
/// elements by value and they move while a list grows.
struct nested_list {
    km::data *outer;
    size_t index;
    km::data *inner;
};

/// Deques, because their elements never move; with counts of the used ones, because the next
/// rendering reuses the memory.
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
