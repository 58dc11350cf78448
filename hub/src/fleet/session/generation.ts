import { actionNumbers, type Action } from '@vedette/protocol/wire/request'
import { isAtLeast, isVedette, parseVersion } from '@vedette/protocol/wire/version'
import { AgentUnavailable } from './fleet-errors.ts'

/**
 * How an agent talks. `unasked`: it writes its document without being asked (before 0.13), as JSON before 0.12. `asked`:
 * it answers one request with one envelope.
 */
export type Generation = 'unasked' | 'asked'

/** A version that cannot be read belongs to an agent before 0.12, or to a program that is none: both speak unasked. */
export function generationOf(announced: string): Generation {
  const version = parseVersion(announced)
  return version !== undefined && isAtLeast(version, [0, 13, 0]) ? 'asked' : 'unasked'
}

/** Only our own agents know actions from here on. */
const FIRST_OWN_ACTION = 100

const since: Readonly<Record<Action, readonly [number, number, number]>> = {
  data: [0, 12, 0],
  fingerprint: [0, 12, 0],
  'container-logs': [0, 14, 0],
  'container-inspect': [0, 14, 0],
  smart: [0, 15, 0],
  'service-details': [0, 16, 0],
  diagnosis: [0, 18, 0],
  'forget-proof': [0, 18, 0],
}

/** Whether an agent of that version knows the action: others stay silent or answer something else. */
export function understands(announced: string, action: Action): boolean {
  const version = parseVersion(announced)
  if (version === undefined || !isAtLeast(version, since[action])) return false
  return actionNumbers[action] < FIRST_OWN_ACTION || isVedette(announced)
}

/** Asking an agent what it does not know would be answered with its document, or with nothing. */
export function refuseUnknown(announced: string, action: Action): void {
  if (understands(announced, action)) return
  throw new AgentUnavailable('unsupported', `The agent${announced === '' ? '' : ` (version ${announced})`} is too old for "${action}"`)
}

/** The version in an identification such as `SSH-2.0-beszel_0.18.8`; empty where none can be read. */
export function announcedIn(identification: string): string {
  const announced = identification.slice(identification.indexOf('_') + 1)
  return identification.includes('_') && parseVersion(announced) !== undefined ? announced : ''
}
