import type { OperatingSystem } from '@vedette/protocol/metrics/sample'

const names: Readonly<Record<OperatingSystem, string>> = { linux: 'Linux', macos: 'macOS', windows: 'Windows', freebsd: 'FreeBSD' }

/** A line drawing of an operating system in the colour of its text. The drawings are in the style sheet; unknown takes the same space. */
export const PlatformIcon = ({ os }: { os: OperatingSystem | undefined }) => (
  <span role={os && 'img'} aria-label={os && names[os]} data-platform={os} className="platform" />
)
