// Preloaded into a process to shift its clock.
const offsetMs = Number(process.env['CLOCK_OFFSET_SECONDS'] ?? 0) * 1000;
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...values: [] | [string | number | Date]) {
    if (values.length === 0) super(RealDate.now() + offsetMs);
    // `Date` takes up to seven numbers; they are passed on unchanged.
    else super(...values);
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
