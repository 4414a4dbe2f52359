/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the messages of this folder (messages.def). */
#pragma once
#include "base/message.h"
#include "engine/messages.def"
