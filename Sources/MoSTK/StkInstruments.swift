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
  /// STK's modal bars: marimba, vibraphone and others.
  public typealias StkModalBar = StkInstrument<ModalBarKind>
  /// STK's banded waveguides: bars, a glass harmonica and a Tibetan bowl.
  public typealias StkBandedWG = StkInstrument<BandedWGKind>

  /// The list of STK's instruments, from which a program can create them.
  public enum StkInstruments {
    /// The factories of all six STK instruments.
    public static let all: [InstrumentFactory] = [
      InstrumentFactory(StkShakers.self), InstrumentFactory(StkMandolin.self),
      InstrumentFactory(StkClarinet.self),
      InstrumentFactory(StkRhodey.self), InstrumentFactory(StkModalBar.self),
      InstrumentFactory(StkBandedWG.self),
    ]
  }
#endif
