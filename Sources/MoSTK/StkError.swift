#if STK
  /// An error of playing an STK instrument; its text says what happened and what to type.
  public enum StkError: Error, CustomStringConvertible, Equatable {
    /// The folder of STK's recordings (raw waves) is missing; `looked` lists the folders that MoMu searched.
    case noRawWaves(looked: [String])
    /// STK cannot create the instrument.
    case refused(instrument: String, reason: String)

    /// The error text: what happened and what to do.
    public var description: String {
      switch self {
      case .noRawWaves(let looked):
        "STK's raw waves are not in \(looked.joined(separator: " nor ")): install them with sudo apt install stk, or "
          + "set MOMU_STK_RAWWAVES to the folder that holds mand1.raw"
      case .refused(let instrument, let reason): "STK cannot make the \(instrument): \(reason)"
      }
    }
  }
#endif
