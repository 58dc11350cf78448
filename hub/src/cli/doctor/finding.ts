import { withDeadline } from '../../platform/deadline.ts'

/**
 * Result of one check of `vedette doctor`: name of the check, state, and `found`, the text of the result. `remedy` is the command or step
 * that solves the problem; absent if there is none.
 */
export type Finding = {
  readonly name: string
  /**
   * State that a check of `vedette doctor` found: `works`, `failing` (a problem), or `absent` when there is nothing to check. `absent`,
   * such as no backup yet, is no problem.
   */
  readonly state: 'works' | 'absent' | 'failing'
  readonly found: string
  readonly remedy?: string | undefined
}

export const works = (name: string, found: string): Finding => ({ name, state: 'works', found })
export const absent = (name: string, found: string, remedy?: string): Finding => ({ name, state: 'absent', found, remedy })
export const failing = (name: string, found: string, remedy?: string): Finding => ({ name, state: 'failing', found, remedy })

const marks: Readonly<Record<Finding['state'], string>> = { works: 'ok', absent: '--', failing: '!!' }

/**
 * Formats the result of a check of `vedette doctor` as one line for the output: mark (`ok`, `--`, `!!`), name and text. A second line has
 * the remedy, if there is one.
 */
export function findingText({ name, state, found, remedy }: Finding): string {
  const line = `${marks[state]} ${name.padEnd(12)} ${found.replaceAll(/\s+/g, ' ')}`
  return remedy === undefined ? line : `${line}\n    to mend: ${remedy}`
}

const HUNG = 'no response within'

/** Returns true if the result says that a check of `vedette doctor` did not end before its timeout. */
export const isHung = ({ found }: Finding): boolean => found.startsWith(HUNG)

/**
 * Runs the function `check` of `vedette doctor` and resolves to its result. If it throws, or takes longer than `withinMs` (ms), the result
 * has the state `failing` and the given `name`. Never rejects.
 */
export async function findingOf(name: string, withinMs: number, check: () => Promise<Finding> | Finding): Promise<Finding> {
  const late = (): Error => new Error(`${HUNG} ${withinMs / 1000} s`)
  try {
    return await withDeadline(withinMs, Promise.resolve().then(check), late)
  } catch (error) {
    return failing(name, error instanceof Error ? error.message : String(error))
  }
}
