import { checkSystem, type FieldProblem, type SystemDraft } from '../../api/system-draft.ts'
import type { FieldErrors } from '../../ui/form-errors.ts'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'

type SystemFieldsProps = {
  draft: SystemDraft
  onChange: (draft: SystemDraft) => void
}

const problemWords: Readonly<Record<FieldProblem, () => string>> = {
  required: words.problem_required,
  tooLong: words.problem_too_long,
  notAPort: words.problem_not_a_port,
  notAHost: words.problem_not_a_host,
}

/**
 * Validates the form of a system (name, host, port). Returns translated messages by field name; an empty object when all fields are valid.
 */
export const problemsOf = (draft: SystemDraft): FieldErrors =>
  Object.fromEntries(Object.entries(checkSystem(draft)).map(([field, problem]) => [field, problemWords[problem]()]))

/**
 * React component: text fields for name, host and port in the form that adds or edits a system. `onChange` gets all three typed texts after
 * each change.
 */
export function SystemFields({ draft, onChange }: SystemFieldsProps) {
  return (
    <>
      <TextField
        label={words.field_name()}
        name="name"
        autoComplete="off"
        required
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <div className="flex gap-3 max-sm:flex-col">
        <TextField
          label={words.field_host()}
          name="host"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          className="flex-1"
          value={draft.host}
          onChange={(event) => onChange({ ...draft, host: event.target.value })}
        />
        <TextField
          label={words.field_port()}
          name="port"
          autoComplete="off"
          inputMode="numeric"
          required
          className="w-28 max-sm:w-full"
          value={draft.port}
          onChange={(event) => onChange({ ...draft, port: event.target.value })}
        />
      </div>
    </>
  )
}
