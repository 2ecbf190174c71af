const two = (value: number) => String(value).padStart(2, '0');

/**
 * Writes a time as editing programs do.
 *
 * @param frameRate - frames per second; rates such as 29.97 are exactly 30,000/1,001. Null: milliseconds instead of frames
 */
export function timecodeOf(ms: number, frameRate: number | null): string {
  if (frameRate === null) {
    return `${clockOf(Math.floor(ms / 1000))}.${String(ms % 1000).padStart(3, '0')}`;
  }
  const rate = exactRate(frameRate);
  const framesPerSecond = Math.ceil(rate);
  // A time that is exactly a frame's may lie just below it in binary.
  const frames = Math.floor((ms * rate) / 1000 + 1e-6);
  return `${clockOf(Math.floor(frames / framesPerSecond))}:${two(frames % framesPerSecond)}`;
}

function clockOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return [Math.floor(minutes / 60), minutes % 60, seconds % 60].map(two).join(':');
}

function exactRate(frameRate: number): number {
  const whole = Math.ceil(frameRate);
  const slowed = (whole * 1000) / 1001;
  return whole !== frameRate && Math.abs(frameRate - slowed) < 0.01 ? slowed : frameRate;
}
