// Adapts kainjow's classes to the C interface. Two parts replace the library's: the lookup of names
// (the library's context needs objects as hash maps, which are copied on insertion) and the
// escaping (the library's reserves and appends for every single character).

#include "model.hpp"

#include <cstdlib>
#include <cstring>

namespace {

km::list &elements(km::data *list) {
    return const_cast<km::list &>(list->list_value());
}

std::string &string(km::data &text) {
    return const_cast<std::string &>(text.string_value());
}

const km::data *field(
    const km::data *value, const char *name, size_t length) {
    if (!value->is_partial()) return nullptr;
    const auto *object = value->partial_value().target<object_reference>();
    if (!object) return nullptr;
    const auto &fields = object->container->fields;
    for (auto it = fields.rbegin(); it != fields.rend(); ++it)
        if (it->first.size() == length
            && std::memcmp(it->first.data(), name, length) == 0)
            return it->second;
    return nullptr;
}

/// Thrown to stop a rendering that would not end, or would exceed the memory limit: nested sections
/// over one list multiply, and so do partials.
struct too_much {};

class page_context : public km::basic_context<std::string> {
public:
    page_context(mustache_template &page, const km::data *model)
        : page_(page), items_{model} {}

    const km::data *body = nullptr;

    void push(const km::data *data) override {
        // Text between two size tags is shorter than this.
        spend(512);
        items_.push_back(data);
        partials_in_a_row_ = 0;
    }
    void pop() override {
        items_.pop_back();
        partials_in_a_row_ = 0;
    }

    const km::data *get(const std::string &name) const override {
        // A size tag by `PartialInliner.swift`: the size of the preceding text.
        if (name[0] == '\1') {
            spend(std::strtoul(name.c_str() + 1, nullptr, 10));
            return nullptr;
        }
        const auto found = look_up(name);
        spend(64 + (found && found->is_string()
            ? found->string_value().size() : 0));
        return found;
    }

    const km::data *look_up(const std::string &name) const {
        if (name.size() == 1 && name[0] == '.') return items_.back();
        // "Any value that resolves the first part is the context of the rest" (mustache
        // specification, interpolation).
        auto dot = name.find('.');
        auto found = first(name.data(), std::min(dot, name.size()));
        while (found && dot != std::string::npos) {
            const auto start = dot + 1;
            dot = name.find('.', start);
            const auto end = dot == std::string::npos ? name.size() : dot;
            found = field(found, name.data() + start, end - start);
        }
        return found;
    }

    const km::data *get_partial(const std::string &name) const override {
        const auto found = page_.partials.find(name);
        if (found == page_.partials.end()) return nullptr;
        // Only recursive partials are not inlined.
        if (++partials_in_a_row_ > bound || items_.size() > bound) {
            page_.error = "Partial \"" + name + "\" never ends";
            return nullptr;
        }
        // The library parses it each time.
        spend(512 + found->second.string_value().size());
        return &found->second;
    }

private:
    static constexpr size_t bound = 100;
    /// The remaining output budget in bytes, approximately: a lookup counts as some bytes.
    mutable size_t left_ = 128 << 20;
    mustache_template &page_;
    std::vector<const km::data *> items_;
    mutable size_t partials_in_a_row_ = 0;

    void spend(size_t count) const {
        if (count > left_) throw too_much();
        left_ -= count;
    }

    const km::data *first(const char *name, size_t length) const {
        // Takes precedence over the model, where a message may have a member `body`.
        if (body && length == 4 && std::memcmp(name, "body", 4) == 0)
            return body;
        for (auto it = items_.rbegin(); it != items_.rend(); ++it)
            if (const auto found = field(*it, name, length)) return found;
        return nullptr;
    }
};

/// Escapes for HTML text and quoted attributes.
std::string escaped(const std::string &text) {
    auto special = text.find_first_of("&<>\"'");
    if (special == std::string::npos) return text;
    std::string result;
    result.reserve(text.size() + text.size() / 4 + 16);
    size_t start = 0;
    while (special != std::string::npos) {
        result.append(text, start, special - start);
        switch (text[special]) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default: result += "&#39;"; break;
        }
        start = special + 1;
        special = text.find_first_of("&<>\"'", start);
    }
    result.append(text, start, std::string::npos);
    return result;
}

/// Appends the text and restores masked bytes (`WhitespaceMask.swift` explains why).
void append_unmasked(std::string &output, const std::string &text) {
    const auto start = output.size();
    output.append(text);
    auto *bytes = reinterpret_cast<unsigned char *>(&output[start]);
    const auto count = text.size();
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = bytes[i];
        byte = byte == 0xF8 ? ' ' : byte;
        byte = byte == 0xF9 ? '\n' : byte;
        byte = byte == 0xFA ? '\t' : byte;
        byte = byte == 0xFB ? '\r' : byte;
        byte = byte == 0xFC ? '{' : byte;
        bytes[i] = byte;
    }
}

const km::data *next_text(
    mustache_model *model, const char *text, size_t length) {
    if (model->texts_used == model->texts.size())
        model->texts.emplace_back(std::string(text, length));
    else
        string(model->texts[model->texts_used]).assign(text, length);
    return &model->texts[model->texts_used++];
}

km::data *next_list(mustache_model *model) {
    if (model->lists_used == model->lists.size())
        model->lists.emplace_back(km::data::type::list);
    return &model->lists[model->lists_used++];
}

mustache_container *next_container(mustache_model *model) {
    if (model->containers_used == model->containers.size())
        model->containers.emplace_back(model);
    return &model->containers[model->containers_used++];
}

void set(
    mustache_container *object, const char *key, size_t length,
    const km::data *value) {
    object->fields.emplace_back(std::string(key, length), value);
}

/// Clears a buffer for the next rendering; releases the memory of a large one.
template <typename T>
void empty(T &buffer, size_t max_capacity) {
    if (buffer.capacity() > max_capacity)
        T().swap(buffer);
    else
        buffer.clear();
}

}  // namespace

mustache_template *mustache_parse(const char *text, size_t length) {
    try {
        auto *page = new mustache_template(std::string(text, length));
        page->parsed.set_custom_escape(escaped);
        return page;
    } catch (...) {
        return nullptr;
    }
}

void mustache_free(mustache_template *page) { delete page; }

const char *mustache_error(const mustache_template *page) {
    return page->error.empty() ? nullptr : page->error.c_str();
}

void mustache_add_partial(
    mustache_template *page, const char *name, size_t name_length,
    const char *text, size_t length) {
    try {
        page->partials.insert_or_assign(
            std::string(name, name_length),
            km::data(std::string(text, length)));
    } catch (...) {
        page->error = "Out of memory";
    }
}

mustache_model *mustache_model_new(void) {
    try {
        return new mustache_model;
    } catch (...) {
        return nullptr;
    }
}

void mustache_model_free(mustache_model *model) { delete model; }

bool mustache_model_clear(mustache_model *model) {
    if (model->texts.size() > 2'000 || model->containers.size() > 500)
        return false;
    for (size_t i = 0; i < model->containers_used; i++) {
        empty(model->containers[i].fields, 100);
        model->containers[i].list = nullptr;
    }
    for (size_t i = 0; i < model->lists_used; i++)
        empty(elements(&model->lists[i]), 100);
    for (size_t i = 0; i < model->texts_used; i++)
        empty(string(model->texts[i]), 1'000);
    model->texts_used = 0;
    model->lists_used = 0;
    model->containers_used = 1;
    model->nested.clear();
    return true;
}

mustache_container *mustache_model_root(mustache_model *model) {
    return &model->containers.front();
}

void mustache_add_text(
    mustache_container *container, const char *key, size_t key_length,
    const char *text, size_t length) {
    try {
        if (container->list)
            elements(container->list).emplace_back(std::string(text, length));
        else
            set(container, key, key_length,
                next_text(container->model, text, length));
    } catch (...) {
    }
}

void mustache_add_bool(
    mustache_container *container, const char *key, size_t key_length,
    bool value) {
    try {
        if (container->list)
            elements(container->list).emplace_back(value);
        else
            set(container, key, key_length, value ? &yes : &no);
    } catch (...) {
    }
}

mustache_container *mustache_add_container(
    mustache_container *container, const char *key, size_t key_length,
    bool is_list) {
    try {
        auto *model = container->model;
        auto *child = next_container(model);
        if (is_list) child->list = next_list(model);
        if (!container->list) {
            set(container, key, key_length,
                is_list ? child->list : &child->reference);
        } else if (!is_list) {
            elements(container->list).push_back(child->reference);
        } else {
            auto &outer = elements(container->list);
            outer.emplace_back(false);
            model->nested.push_back(
                {container->list, outer.size() - 1, child->list});
        }
        return child;
    } catch (...) {
        return nullptr;
    }
}

bool mustache_render(
    mustache_template *page, mustache_model *model,
    const mustache_template *body) {
    try {
        page->error.clear();
        page->output.clear();
        // The innermost lists were created last.
        for (auto it = model->nested.rbegin(); it != model->nested.rend(); ++it) {
            elements(it->outer)[it->index] = std::move(*it->inner);
            *it->inner = km::data(km::data::type::list);
        }
        model->nested.clear();

        const km::data nothing{false};
        const auto &root = model->containers.front().fields;
        page_context context{
            *page, root.empty() ? &nothing : root.back().second};
        const km::data rendered{body ? body->output : std::string()};
        if (body) context.body = &rendered;
        // kainjow renders a context only into a stream: any type with <<.
        struct sink {
            std::string &output;
            sink &operator<<(const std::string &text) {
                append_unmasked(output, text);
                return *this;
            }
        } out{page->output};
        page->parsed.render(
            static_cast<km::basic_context<std::string> &>(context), out);
        if (page->error.empty() && !page->parsed.is_valid())
            page->error = page->parsed.error_message();
        return page->error.empty();
    } catch (const too_much &) {
        page->error = "It renders more than 128 MiB, or never ends";
        page->output = std::string();
        return false;
    } catch (...) {
        page->error = "Out of memory";
        return false;
    }
}

const char *mustache_output(const mustache_template *page, size_t *length) {
    *length = page->output.size();
    return page->output.data();
}
