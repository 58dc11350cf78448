/** Typed texts in the form for adding or editing a system, not validated: name, host and port. */
export type SystemDraft = { readonly name: string; readonly host: string; readonly port: string }

const DEFAULT_AGENT_PORT = '45876'

export const emptyDraft: SystemDraft = { name: '', host: '', port: DEFAULT_AGENT_PORT }

export type FieldProblem = 'required' | 'tooLong' | 'notAPort' | 'notAHost'
type SystemProblems = { readonly [field in keyof SystemDraft]?: FieldProblem }

const MAX_NAME_LENGTH = 255
const MAX_HOST_LENGTH = 255
const MAX_PORT = 65_535

/**
 * Validates the typed name, host and port of a system by the hub's rules. Returns the name of the problem of each invalid field by field
 * name; an empty object when all are valid.
 */
export function checkSystem({ name, host, port }: SystemDraft): SystemProblems {
  return {
    ...problem('name', required(name) ?? longerThan(name, MAX_NAME_LENGTH)),
    ...problem('host', required(host) ?? longerThan(host, MAX_HOST_LENGTH) ?? (/\s/.test(host.trim()) ? 'notAHost' : undefined)),
    ...problem('port', required(port) ?? (isPort(port.trim()) ? undefined : 'notAPort')),
  }
}

const problem = (field: keyof SystemDraft, found: FieldProblem | undefined) => (found === undefined ? {} : { [field]: found })

const required = (text: string): FieldProblem | undefined => (text.trim() === '' ? 'required' : undefined)

const longerThan = (text: string, length: number): FieldProblem | undefined => (text.trim().length > length ? 'tooLong' : undefined)

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT
