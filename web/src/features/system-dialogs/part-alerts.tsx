import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { alertKinds, partKinds, type PartKind } from '../../api/alert-kinds.ts'
import { messageOf } from '../../api/request-failed.ts'
import { alertIn, type SystemAlert } from '../../api/system-alerts.ts'
import { systemPartsQuery, type SystemParts } from '../../api/system-parts.ts'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'
import { AlertCard } from './alert-card.tsx'
import { partsIn, samePart, type Part } from './watched-parts.ts'

const headings: Readonly<Record<PartKind, () => string>> = {
  container: words.part_containers,
  service: words.part_services,
  filesystem: words.part_filesystems,
  interface: words.part_interfaces,
}

type PartAlertsProps = { systemId: string; alerts: readonly SystemAlert[]; onStored: () => Promise<unknown> }

/** Alerts on single parts of a system: those there are, and the rules of a part that is chosen. */
export function PartAlerts({ systemId, alerts, onStored }: PartAlertsProps) {
  const [chosen, setChosen] = useState<readonly Part[]>([])
  const parts = partsIn(alerts, chosen)
  return (
    <section aria-label={words.alerts_of_one()} className="flex flex-col gap-2.5 border-t border-border pt-4">
      <div>
        <h3 className="font-semibold">{words.alerts_of_one()}</h3>
        <p className="text-note text-muted">{words.alerts_of_one_about()}</p>
      </div>
      <ul className="flex flex-col gap-2.5 empty:hidden">
        {parts.flatMap((part) => {
          const isChosen = chosen.some((one) => samePart(one, part))
          return alertKinds.flatMap((kind) => {
            const alert = alertIn(alerts, kind.name, part.target)
            if (kind.part !== part.kind || (alert === undefined && !isChosen)) return []
            return [
              <AlertCard
                key={`${kind.name} ${part.target}`}
                kind={kind}
                systemId={systemId}
                target={part.target}
                alert={alert}
                onStored={() => {
                  // A rule that was switched off stays where it is until the sheet is closed.
                  setChosen((before) => (before.some((one) => samePart(one, part)) ? before : [...before, part]))
                  return onStored()
                }}
              />,
            ]
          })
        })}
      </ul>
      <PartChoice systemId={systemId} onChosen={(part) => setChosen([...chosen.filter((one) => !samePart(one, part)), part])} />
    </section>
  )
}

function PartChoice({ systemId, onChosen }: { systemId: string; onChosen: (part: Part) => void }) {
  const id = useId()
  const { data, isError, error } = useQuery(systemPartsQuery(systemId))
  if (isError) return <FormError message={messageOf(error)} />
  const kinds = partKinds.filter((kind) => (data?.[kind] ?? []).length > 0)
  if (data !== undefined && kinds.length === 0) return <p className="text-note text-muted">{words.alerts_of_one_none()}</p>
  return (
    <select
      id={id}
      aria-label={words.alerts_of_one()}
      aria-busy={data === undefined}
      value=""
      onChange={({ target: { selectedOptions } }) => {
        const [option] = selectedOptions
        const kind = partKinds.find((one) => one === option?.dataset['kind'])
        if (kind !== undefined && option !== undefined) onChosen({ kind, target: option.value })
      }}
      className="h-9 w-full min-w-0 rounded-control border border-control-border bg-surface px-2"
    >
      <option value="">{words.alerts_of_one_choose()}</option>
      {data !== undefined && kinds.map((kind) => <Options key={kind} kind={kind} parts={data} />)}
    </select>
  )
}

const Options = ({ kind, parts }: { kind: PartKind; parts: SystemParts }) => (
  <optgroup label={headings[kind]()}>
    {parts[kind].map((name) => (
      <option key={name} value={name} data-kind={kind}>
        {name}
      </option>
    ))}
  </optgroup>
)
