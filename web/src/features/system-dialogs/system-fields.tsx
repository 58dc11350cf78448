import type { FieldProblem, SystemDraft, SystemProblems } from '../../api/system-draft.ts'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'

type SystemFieldsProps = {
  draft: SystemDraft
  onChange: (draft: SystemDraft) => void
  problems: SystemProblems
  /** The hub's own messages, by field. */
  refused?: Readonly<Record<string, string>>
}

const problemWords: Readonly<Record<FieldProblem, () => string>> = {
  required: words.problem_required,
  tooLong: words.problem_too_long,
  notAPort: words.problem_not_a_port,
  notAHost: words.problem_not_a_host,
}

/** Name, host and port: the same in the dialogs that add and change a system. */
export function SystemFields({ draft, onChange, problems, refused = {} }: SystemFieldsProps) {
  const errorOf = (field: keyof SystemDraft) => {
    const problem = problems[field]
    return problem === undefined ? refused[field] : problemWords[problem]()
  }
  return (
    <>
      <TextField
        label={words.field_name()}
        name="name"
        autoComplete="off"
        required
        value={draft.name}
        error={errorOf('name')}
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
          error={errorOf('host')}
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
          error={errorOf('port')}
          onChange={(event) => onChange({ ...draft, port: event.target.value })}
        />
      </div>
    </>
  )
}
