import type { Draw } from './draw.ts';

/** The first frames are often black. */
const partOfDuration = 0.1;
const maxSeconds = 3;

/** Draws a frame near the beginning of a video. */
export const drawVideo: Draw = async (file, canvasFor, signal) => {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  signal.addEventListener('abort', () => {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  });
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  const hasLoaded = next(video, 'loadeddata', signal);
  video.src = url;
  await hasLoaded;
  const { duration, videoWidth: width, videoHeight: height } = video;
  // A file with sound only.
  if (width === 0 || height === 0) return null;
  // Recordings of browsers have no duration.
  if (Number.isFinite(duration)) {
    const hasSought = next(video, 'seeked', signal);
    video.currentTime = Math.min(duration * partOfDuration, maxSeconds);
    await hasSought;
  }
  const canvas = canvasFor({ width, height });
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
};

function next(
  video: HTMLVideoElement,
  type: 'loadeddata' | 'seeked',
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The video can’t be shown'));
    signal.addEventListener('abort', fail);
    video.addEventListener('error', fail);
    video.addEventListener(type, () => resolve(), { once: true });
  });
}
