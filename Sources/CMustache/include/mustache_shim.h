// C interface to kainjow's C++ Mustache, because Swift without C++ interoperability cannot name a
// class template. No function throws; every handle has one owner; no handle may be used by two
// threads at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parsed template with its output buffer.
typedef struct mustache_template mustache_template;
/// The data of one rendering.
typedef struct mustache_model mustache_model;
/// An object or a list inside a model; valid as long as the model.
typedef struct mustache_container mustache_container;

/// NULL only if out of memory. `mustache_error` reports whether parsing succeeded.
mustache_template *mustache_parse(const char *text, size_t length);
void mustache_free(mustache_template *);
/// NULL, or the error ("Unclosed tag at 12", an offset in bytes). Valid until the next call with
/// this template.
const char *mustache_error(const mustache_template *);
/// Adds the text of a partial, which is parsed each time a rendering uses it.
void mustache_add_partial(
    mustache_template *, const char *name, size_t name_length,
    const char *text, size_t length);

mustache_model *mustache_model_new(void);
void mustache_model_free(mustache_model *);
/// Clears it for another rendering, which reuses the memory. False if it grew too large to be
/// retained; it must then be freed.
bool mustache_model_clear(mustache_model *);
/// The container of the root: the value added to it last is the model's root.
mustache_container *mustache_model_root(mustache_model *);

/// The key is ignored when the container is a list.
void mustache_add_text(
    mustache_container *, const char *key, size_t key_length,
    const char *text, size_t length);
void mustache_add_bool(
    mustache_container *, const char *key, size_t key_length, bool value);
/// NULL only if out of memory.
mustache_container *mustache_add_container(
    mustache_container *, const char *key, size_t key_length, bool is_list);

/// Renders into the template's own buffer. `body` may be NULL; otherwise its buffer is the value of
/// the name `body`. False on an error.
bool mustache_render(
    mustache_template *, mustache_model *, const mustache_template *body);
/// The last output; valid until the next rendering.
const char *mustache_output(const mustache_template *, size_t *length);

#ifdef __cplusplus
}
#endif
