import type { OperatingSystem } from '@vedette/protocol/metrics/sample'

const names: Readonly<Record<OperatingSystem, string>> = { linux: 'Linux', macos: 'macOS', windows: 'Windows', freebsd: 'FreeBSD' }

/**
 * React component: icon of an operating system, such as Linux, in the text colour. With `undefined` (unknown), an empty space of the same
 * size.
 */
export const PlatformIcon = ({ os }: { os: OperatingSystem | undefined }) => (
  <span role={os && 'img'} aria-label={os && names[os]} data-platform={os} className="platform" />
)
