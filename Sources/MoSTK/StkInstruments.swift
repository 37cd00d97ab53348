#if STK
  import MoInstruments

  /// STK's shakers.
  public typealias StkShakers = StkInstrument<ShakersKind>
  /// STK's mandolin.
  public typealias StkMandolin = StkInstrument<MandolinKind>
  /// STK's clarinet.
  public typealias StkClarinet = StkInstrument<ClarinetKind>
  /// STK's electric piano.
  public typealias StkRhodey = StkInstrument<RhodeyKind>
  /// STK's modal bars.
  public typealias StkModalBar = StkInstrument<ModalBarKind>
  /// STK's banded waveguides.
  public typealias StkBandedWG = StkInstrument<BandedWGKind>

  /// STK's instruments as a catalogue has them.
  public enum StkInstruments {
    /// All six.
    public static let all: [InstrumentEntry] = [
      InstrumentEntry(StkShakers.self), InstrumentEntry(StkMandolin.self), InstrumentEntry(StkClarinet.self),
      InstrumentEntry(StkRhodey.self), InstrumentEntry(StkModalBar.self), InstrumentEntry(StkBandedWG.self),
    ]
  }
#endif
