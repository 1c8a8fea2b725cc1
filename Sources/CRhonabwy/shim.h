#pragma once
#include <jansson.h>
#include <rhonabwy.h>
#include <yder.h>
/* Digests, HMAC and constant-time comparison; rhonabwy is built on GnuTLS too. */
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
/* Certificates, the format in which some servers publish their keys. */
#include <gnutls/abstract.h>
#include <gnutls/x509.h>
