import type { ReactNode } from 'react';
import { encode } from 'uqr';

interface QrCodeProps {
  readonly text: string;
  /** Describes the picture to screen readers. */
  readonly label: string;
}

/** Draws a text as a QR code. It stays dark on light in every theme: not all apps read it otherwise. */
export default function QrCode({ text, label }: QrCodeProps): ReactNode {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-md bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
