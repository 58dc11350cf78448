import { withDeadline } from '../../platform/deadline.ts'

/** Result of one check of `vedette doctor`. `remedy` is the command or step that helps. */
export type Finding = {
  readonly name: string
  /** `absent`: there is nothing to check, which is no problem. */
  readonly state: 'works' | 'absent' | 'failing'
  readonly found: string
  readonly remedy?: string | undefined
}

export const works = (name: string, found: string): Finding => ({ name, state: 'works', found })
export const absent = (name: string, found: string, remedy?: string): Finding => ({ name, state: 'absent', found, remedy })
export const failing = (name: string, found: string, remedy?: string): Finding => ({ name, state: 'failing', found, remedy })

const marks: Readonly<Record<Finding['state'], string>> = { works: 'ok', absent: '--', failing: '!!' }

/** Returns the lines of a finding, in the form of the agent's doctor. */
export function findingText({ name, state, found, remedy }: Finding): string {
  const line = `${marks[state]} ${name.padEnd(12)} ${found.replaceAll(/\s+/g, ' ')}`
  return remedy === undefined ? line : `${line}\n    to mend: ${remedy}`
}

const HUNG = 'no response within'

/** Returns true for a check that did not end in time. */
export const isHung = ({ found }: Finding): boolean => found.startsWith(HUNG)

/** Runs a check. A check that throws, or that takes longer than `withinMs`, is a problem. */
export async function findingOf(name: string, withinMs: number, check: () => Promise<Finding> | Finding): Promise<Finding> {
  const late = (): Error => new Error(`${HUNG} ${withinMs / 1000} s`)
  try {
    return await withDeadline(withinMs, Promise.resolve().then(check), late)
  } catch (error) {
    return failing(name, error instanceof Error ? error.message : String(error))
  }
}
