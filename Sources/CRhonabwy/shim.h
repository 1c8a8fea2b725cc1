#pragma once
#include <jansson.h>
#include <rhonabwy.h>
#include <yder.h>
