#include "CMoSystem.h"
