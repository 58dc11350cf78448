import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alertKinds, partKinds, type PartKind } from '../../api/alert-kinds.ts'
import { messageOf } from '../../api/request-failed.ts'
import { alertIn, type SystemAlert } from '../../api/system-alerts.ts'
import { systemPartsQuery } from '../../api/system-parts.ts'
import { FormError } from '../../ui/form-error.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import * as words from '../../words/messages.js'
import { AlertCard } from './alert-card.tsx'
import { partsIn, samePart, type WatchedPart } from './watched-parts.ts'

const headings: Readonly<Record<PartKind, () => string>> = {
  container: words.part_containers,
  service: words.part_services,
  filesystem: words.part_filesystems,
  interface: words.part_interfaces,
}

type PartAlertsProps = { systemId: string; alerts: readonly SystemAlert[]; onStored: () => Promise<unknown> }

/**
 * React component: section of the alert sheet with the rules on single parts of a system, such as one container. A selector adds a part.
 * `onStored` must fetch the rules again after a change.
 */
export function PartAlerts({ systemId, alerts, onStored }: PartAlertsProps) {
  const [chosen, setChosen] = useState<readonly WatchedPart[]>([])
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
                  // A rule that was switched off stays listed until the sheet is closed.
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

function PartChoice({ systemId, onChosen }: { systemId: string; onChosen: (part: WatchedPart) => void }) {
  const { data, isError, error } = useQuery(systemPartsQuery(systemId))
  if (isError) return <FormError message={messageOf(error)} />
  const kinds = partKinds.filter((kind) => (data?.[kind] ?? []).length > 0)
  if (data !== undefined && kinds.length === 0) return <p className="text-note text-muted">{words.alerts_of_one_none()}</p>
  // A container and a service may have the same name.
  const parts = kinds.flatMap((kind) => (data?.[kind] ?? []).map((target) => ({ kind, target, value: `${kind} ${target}` })))
  return (
    <SelectField
      label={words.alerts_of_one()}
      isLabelHidden
      value=""
      choices={[
        { value: '', label: words.alerts_of_one_choose() },
        ...parts.map(({ kind, target, value }) => ({ value, label: target, group: headings[kind]() })),
      ]}
      onChange={(chosen) => {
        const part = parts.find(({ value }) => value === chosen)
        if (part !== undefined) onChosen({ kind: part.kind, target: part.target })
      }}
    />
  )
}
