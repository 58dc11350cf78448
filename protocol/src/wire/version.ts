/**
 * Version of the Beszel protocol that hub and agent implement, `0.18.8`. Hubs and agents of Beszel compare it and ignore the build metadata
 * after `+`.
 */
export const WIRE_VERSION = '0.18.8'

/** Vedette's own version, one for hub, agent and dashboard. A test requires that each package.json has the same. */
export const VEDETTE_VERSION = '0.1.0'

/**
 * Version that hub and agent announce in SSH identification strings, in the header `X-Beszel` and in samples: Beszel protocol version, then
 * `+vedette.` and Vedette's own version.
 */
export const ANNOUNCED_VERSION = `${WIRE_VERSION}+vedette.${VEDETTE_VERSION}`

export type Version = {
  readonly major: number
  readonly minor: number
  readonly patch: number
  readonly prerelease: string
  readonly build: string
}

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

/** Parses a strict semantic version 2.0 (exactly three numbers, no leading `v` or zeros) into its parts. `undefined` for other texts. */
export function parseVersion(text: string): Version | undefined {
  const match = SEMVER.exec(text)
  if (match === null) return undefined
  const [, major = '', minor = '', patch = '', prerelease = '', build = ''] = match
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease, build }
}

/**
 * Returns the parsed version in an SSH identification string such as `SSH-2.0-beszel_0.18.8`: the text after its first underscore.
 * `undefined` without a valid one.
 */
export function versionOfIdentification(identification: string): Version | undefined {
  const underscore = identification.indexOf('_')
  return underscore === -1 ? undefined : parseVersion(identification.slice(underscore + 1))
}

/** Returns true when the parsed `version` is `major.minor.patch` or later. A pre-release is lower than its release. */
export function isAtLeast(version: Version, [major, minor, patch]: readonly [number, number, number]): boolean {
  const difference = version.major - major || version.minor - minor || version.patch - patch
  return difference > 0 || (difference === 0 && version.prerelease === '')
}

/**
 * Returns true when the version `older` is earlier than `newer`, both in the form of {@link shownVersion}. False when one of them is no
 * semantic version. A pre-release counts as earlier than every version with the same three numbers.
 */
export function isOlder(older: string, newer: string): boolean {
  const [one, other] = [parseVersion(older), parseVersion(newer)]
  return older !== newer && one !== undefined && other !== undefined && !isAtLeast(one, [other.major, other.minor, other.patch])
}

/** Returns the version to display for an announced one: `0.1.0` for `0.18.8+vedette.0.1.0`; any other version unchanged. */
export function shownVersion(announced: string): string {
  const [, ours] = announced.split('+vedette.', 2)
  return ours ?? announced
}

export const isVedette = (announced: string | undefined): boolean => announced?.includes('+vedette.') ?? false
