import encodeQR from 'qr'

/** Width of the white border around a QR code that scanners need: 4 modules (ISO/IEC 18004). */
const BORDER = 4

/**
 * React component: QR code of `text` as SVG, dark on white in both themes, because scanners need this contrast. `label` describes it for
 * screen readers.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: BORDER })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="w-56 max-w-full self-center rounded-control border border-border"
    >
      <rect width="100%" height="100%" fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}
