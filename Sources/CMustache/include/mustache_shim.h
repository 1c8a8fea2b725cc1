// A C face for kainjow's C++ Mustache, because Swift without C++
// interoperability cannot name a class template. Nothing here throws; every
// handle has one owner; no handle may be used by two threads at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parsed template with a buffer for what it renders.
typedef struct mustache_template mustache_template;
/// The data of one rendering.
typedef struct mustache_model mustache_model;
/// An object or a list inside a model; lives as long as the model.
typedef struct mustache_container mustache_container;

/// NULL only without memory. Whether it parsed says `mustache_error`.
mustache_template *mustache_parse(const char *text, size_t length);
void mustache_free(mustache_template *);
/// NULL, or what is wrong ("Unclosed tag at 12", an offset in bytes). Valid
/// until the next call with this template.
const char *mustache_error(const mustache_template *);
/// Text of a partial that is parsed when a rendering meets it.
void mustache_add_partial(
    mustache_template *, const char *name, size_t name_length,
    const char *text, size_t length);

mustache_model *mustache_model_new(void);
void mustache_model_free(mustache_model *);
/// Empties it for another rendering, which takes the same memory. False if it
/// grew too large to be kept; it is then only good to be freed.
bool mustache_model_clear(mustache_model *);
/// Holds the model itself: what is added to it last is the model's root.
mustache_container *mustache_model_root(mustache_model *);

/// The key is ignored when the container is a list.
void mustache_add_text(
    mustache_container *, const char *key, size_t key_length,
    const char *text, size_t length);
void mustache_add_bool(
    mustache_container *, const char *key, size_t key_length, bool value);
/// NULL only without memory.
mustache_container *mustache_add_container(
    mustache_container *, const char *key, size_t key_length, bool is_list);

/// Renders into the template's own buffer. `body` may be NULL; otherwise its
/// buffer is the value of `body`. False if something went wrong.
bool mustache_render(
    mustache_template *, mustache_model *, const mustache_template *body);
/// What was rendered last; valid until the next rendering.
const char *mustache_output(const mustache_template *, size_t *length);

#ifdef __cplusplus
}
#endif
