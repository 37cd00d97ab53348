import CLiblo
