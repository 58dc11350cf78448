import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { alertKinds, type AlertKind } from '../../api/alert-kinds.ts'
import { keys } from '../../api/keys.ts'
import { followAlerts } from '../../api/follow-system.ts'
import { alertIn, systemAlertsQuery } from '../../api/system-alerts.ts'
import type { System } from '../../api/system-record.ts'
import { namesUpstream } from '../../api/upstreams.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import * as words from '../../words/messages.js'
import { AlertCard } from './alert-card.tsx'
import { PartAlerts } from './part-alerts.tsx'
import { SpreadAlerts } from './spread-alerts.tsx'
import { UpstreamNote } from './upstream-note.tsx'

/** Names of rarely used alert kinds. The alert sheet hides them until requested, unless the system has such a rule. */
const rareKinds = new Set(['LoadAvg1', 'LoadAvg15', 'GPU', 'Battery', 'CPUIOWait', 'CPUSteal'])

/**
 * React component: sheet along the page's edge with the signed-in user's alert rules on one system, one card for each alert kind. Each card
 * saves its rule at once.
 */
export function AlertSheet({ system, onClose }: { system: System; onClose: () => void }) {
  const client = useQueryClient()
  const query = useQuery(systemAlertsQuery(system.id))
  const { data } = query
  const [isAll, setAll] = useState(false)
  const isShown = ({ name, part, unit }: AlertKind): boolean =>
    part === undefined &&
    (isAll || !(rareKinds.has(name) || looksAhead(unit)) || (data !== undefined && alertIn(data, name, undefined) !== undefined))
  // Also runs after the sheet was closed, because another one may be open.
  const onStored = () => client.invalidateQueries({ queryKey: keys.systemAlerts(system.id) })
  useEffect(followAlerts, [])
  const ofWhole = data?.filter(({ target }) => target === undefined) ?? []
  return (
    <Sheet
      title={words.alerts_of({ name: system.name })}
      description={words.alerts_about()}

      onClose={onClose}
    >
      {namesUpstream(system.tags) && <UpstreamNote systemId={system.id} />}
      <Awaited query={query} placeholder="h-96">
        {(alerts) => (
          <ul className="flex flex-col gap-2.5">
            {alertKinds.filter(isShown).map((kind) => (
              <AlertCard
                key={kind.name}
                kind={kind}
                systemId={system.id}
                alert={alertIn(alerts, kind.name, undefined)}
                onStored={onStored}
              />
            ))}
          </ul>
        )}
      </Awaited>
      {data !== undefined && !isAll && <Button onClick={() => setAll(true)}>{words.alerts_more()}</Button>}
      {ofWhole.length > 0 && <SpreadAlerts alerts={ofWhole} systemId={system.id} />}
      {data !== undefined && <PartAlerts systemId={system.id} alerts={data} onStored={onStored} />}
    </Sheet>
  )
}

/**
 * Returns true for the unit of a forecast (`h`, hours until full) or of a rate of change (`%/h`). The alert sheet hides alert kinds with
 * such a unit at first, because they are rarely used.
 */
const looksAhead = (unit: AlertKind['unit']): boolean => unit.endsWith('h')
