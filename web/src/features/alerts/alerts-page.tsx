import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { firingQuery, noisyAlertsQuery } from '../../api/incidents.ts'
import { systemsQuery } from '../../api/queries.ts'
import { alertLabel } from '../../api/alert-kinds.ts'
import { followFleet } from '../../api/live.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { AlertsSection } from './alerts-section.tsx'
import { DeliveriesSection } from './deliveries-section.tsx'
import { IncidentHistory } from './incident-history.tsx'
import { IncidentRow } from './incident-row.tsx'

/** What is firing, what was, and which alerts fire too often to be listened to. */
export function AlertsPage() {
  usePageTitle(words.title_alerts())
  // Before the lists are read, which are read once then. The browser's tab shows how the systems are.
  useEffect(followFleet, [])
  useQuery(systemsQuery)
  const firing = useQuery(firingQuery)
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col gap-3.5 px-6 pb-10 max-sm:px-3">
      <h1 className="mt-3.5 text-title font-semibold tracking-tight max-sm:mt-1.5">{words.alerts()}</h1>
      {firing.data === undefined && firing.isError && (
        <Notice title={words.incidents_failed()} detail={messageOf(firing.error)}>
          <Button onClick={() => void firing.refetch()}>{words.retry()}</Button>
        </Notice>
      )}
      {(firing.data !== undefined || !firing.isError) && (
        <AlertsSection title={words.alerts_firing()} about={words.alerts_firing_about()}>
          {firing.data === undefined && <div aria-busy="true" className="h-14 animate-skeleton rounded-control bg-sunken" />}
          {firing.data?.length === 0 && <p className="py-2 text-muted">{words.nothing_firing()}</p>}
          <ul className="divide-y divide-border">
            {firing.data?.map((incident) => (
              <IncidentRow key={incident.id} incident={incident} />
            ))}
          </ul>
        </AlertsSection>
      )}
      <IncidentHistory />
      <Noisy />
      <DeliveriesSection />
    </main>
  )
}

/** An alert that fires this often is worth another threshold. */
const NOISY_FROM = 3

function Noisy() {
  const { data } = useQuery(noisyAlertsQuery)
  const noisy = data?.filter(({ count }) => count >= NOISY_FROM) ?? []
  if (noisy.length === 0) return null
  return (
    <AlertsSection title={words.alerts_noisy()} about={words.alerts_noisy_about()}>
      <ul className="divide-y divide-border">
        {noisy.map(({ alert, systemName, name, target, count }) => (
          <li key={alert} className="flex items-baseline gap-3 py-2">
            <span className="min-w-0 flex-1 truncate">{words.alert_of_system({ alert: alertLabel(name, target), name: systemName })}</span>
            <span className="text-note text-muted tabular-nums">{words.fired_times({ count })}</span>
          </li>
        ))}
      </ul>
    </AlertsSection>
  )
}
