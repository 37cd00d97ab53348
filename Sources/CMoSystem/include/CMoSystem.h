// The few functions that must be in C. One header per subject.
#ifndef CMOSYSTEM_H
#define CMOSYSTEM_H

#include "momu_avahi.h"
#include "momu_clock.h"
#include "momu_denormals.h"
#include "momu_gpio.h"
#include "momu_jack.h"
#include "momu_keyboard.h"
#include "momu_net.h"
#include "momu_port.h"
#include "momu_realtime.h"
#include "momu_rights.h"
#include "momu_rumble.h"
#include "momu_terminal.h"
#include "momu_thread.h"

#endif
