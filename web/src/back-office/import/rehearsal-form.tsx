import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureDetailOf } from '../../api/field-messages.ts'
import { formatBytes } from '../../format/bytes.ts'
import { numberFormat } from '../../format/number-format.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { discardImport, runImport, type ImportChoices, type ImportLine, type Rehearsal } from './imports.ts'

type Key = 'theirs' | 'ours' | ''

/**
 * React component: table of what an import of another hub's data would do (the dry run), with the form by which the admin confirms it.
 * `onDone` is called after a request to import or discard, also after a failure.
 */
export function RehearsalForm({ rehearsal, onDone }: { rehearsal: Rehearsal; onDone: () => void }) {
  const { lines, superusers, asksKey, lateMinutes } = rehearsal
  const formats = useFormats()
  const [admins, setAdmins] = useState<readonly string[]>([])
  const [key, setKey] = useState<Key>('')
  const run = useMutation({ mutationFn: (choices: ImportChoices) => runImport(choices), onSettled: onDone })
  const discard = useMutation({ mutationFn: discardImport, onSettled: onDone })
  const failed = [run, discard].find(({ isError }) => isError)
  const facts = { size: formatBytes(rehearsal.bytes, formats), minutes: String(Math.max(1, Math.ceil(rehearsal.seconds / 60))) }
  const keys = [
    { value: '', label: words.office_import_key_choose() },
    { value: 'theirs', label: words.office_import_key_theirs() },
    { value: 'ours', label: words.office_import_key_ours() },
  ] as const
  return (
    <Card title={words.office_import_rehearsal()} description={words.office_import_cost(facts)}>
      <LinesTable lines={lines} />
      <Remarks lines={lines} />
      <Form
        className="mt-4 flex flex-col gap-3"
        check={() => (asksKey && key === '' ? { key: words.office_import_key_choose() } : {})}
        onSubmit={(textOf) => run.mutate({ password: textOf('password'), admins, key: key === '' ? undefined : key })}
      >
        {lateMinutes !== undefined && (
          <p role="alert" className="text-warn">
            {words.office_import_late({ minutes: numberFormat(formats.locale, {}).format(lateMinutes) })}
          </p>
        )}
        {superusers.length > 0 && <p className="text-note text-muted">{words.office_import_superusers()}</p>}
        {superusers.map((email) => (
          <SwitchField
            key={email}
            name="admins"
            label={email}
            isOn={admins.includes(email)}
            onChange={(isOn) => setAdmins(isOn ? [...admins, email] : admins.filter((one) => one !== email))}
          />
        ))}
        {asksKey && (
          <SelectField
            label={words.office_import_key()}
            hint={words.office_import_key_hint()}
            name="key"
            choices={keys}
            value={key}
            onChange={setKey}
          />
        )}
        <TextField label={words.office_your_password()} name="password" type="password" autoComplete="current-password" required />
        {failed !== undefined && <FormError message={failureDetailOf(failed.error)} />}
        <div className="flex justify-end gap-2">
          <Button disabled={run.isPending || discard.isPending} onClick={() => discard.mutate()}>
            {words.office_import_discard()}
          </Button>
          <Button look="primary" type="submit" disabled={run.isPending || discard.isPending}>
            {run.isPending ? words.office_working() : words.office_import_run()}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

function LinesTable({ lines }: { lines: readonly ImportLine[] }) {
  const formats = useFormats()
  const columns = [words.office_import_found(), words.office_import_taken(), words.office_import_present(), words.office_import_left_out()]
  return (
    <ScrollBox label={words.office_import_numbers()} className="-mx-1">
      <table className="w-full text-note">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="px-1 py-1.5 font-medium">
              {words.office_import_what()}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-1 py-1.5 text-right font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {lines.map(({ what, found, taken, present }) => (
            <tr key={what}>
              <th scope="row" className="px-1 py-1.5 text-left font-normal">
                {what}
              </th>
              {[found, taken, present, found - taken - present].map((count, at) => (
                <td key={columns[at]} className="px-1 py-1.5 text-right tabular-nums">
                  {numberFormat(formats.locale, {}).format(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function Remarks({ lines }: { lines: readonly ImportLine[] }) {
  const formats = useFormats()
  const remarks = lines.flatMap(({ what, remarks: ofLine }) => ofLine.map((one) => ({ what, ...one })))
  if (remarks.length === 0) return null
  return (
    <ul className="mt-3 flex list-disc flex-col gap-1 pl-5 text-note">
      {remarks.map(({ what, reason, count, examples }) => (
        <li key={`${what} ${reason}`} className="wrap-anywhere">
          {`${what}, ${numberFormat(formats.locale, {}).format(count)}: ${reason}`}
          {examples.length > 0 && <span className="text-muted">{` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`}</span>}
        </li>
      ))}
    </ul>
  )
}
