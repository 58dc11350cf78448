import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followPolicies, policiesList, type AlertPolicy } from '../../api/alert-policies.ts'
import { firingQuery, noisyAlertsQuery } from '../../api/incidents.ts'
import { alertsQuery, systemsQuery } from '../../api/queries.ts'
import { alertLabel } from '../../api/alert-kinds.ts'
import { followFleet } from '../../api/live.ts'
import { followIncidents } from '../../api/live-incidents.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { Card } from '../../ui/card.tsx'
import { DeliveriesSection } from './deliveries-section.tsx'
import { IncidentHistory } from './incident-history.tsx'
import { IncidentRow } from './incident-row.tsx'
import { PoliciesCard } from './policies-card.tsx'
import { RulesCard } from './rules-card.tsx'

const NO_POLICIES: readonly AlertPolicy[] = []

/**
 * React component: alerts page, with firing alerts, past incidents, alerts that fire too often, and the policies. It also shows how many
 * systems have which alerts, and recent deliveries of notifications.
 */
export function AlertsPage() {
  usePageTitle(words.title_alerts())
  // Before the lists are fetched, so that they are fetched once. The browser tab's icon needs the systems too.
  useEffect(followFleet, [])
  useEffect(followIncidents, [])
  useEffect(followPolicies, [])
  const { data: systems } = useQuery(systemsQuery)
  const { data: rules } = useQuery(alertsQuery)
  const policies = useQuery(policiesList.query)
  const firing = useQuery(firingQuery)
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col gap-3.5 px-6 pb-10 max-sm:px-3">
      <PageHeader title={words.alerts()} />
      <Card title={words.alerts_firing()} description={words.alerts_firing_about()}>
        <Awaited
          query={firing}
          placeholder="h-14"
          isEmpty={({ length }) => length === 0}
          empty={<p className="py-2 text-muted">{words.nothing_firing()}</p>}
        >
          {(incidents) => (
            <ul className="divide-y divide-border">
              {incidents.map((incident) => (
                <IncidentRow key={incident.id} incident={incident} />
              ))}
            </ul>
          )}
        </Awaited>
      </Card>
      <IncidentHistory />
      <Noisy />
      <PoliciesCard systems={systems ?? []} />
      {systems !== undefined && rules !== undefined && !policies.isPending && (
        <RulesCard systems={systems} rules={rules} policies={policies.data ?? NO_POLICIES} />
      )}
      <DeliveriesSection />
    </main>
  )
}

/** Minimum number of incidents (firing periods) in 30 days from which an alert is listed as firing too often: 3. */
const NOISY_FROM = 3

function Noisy() {
  const { data } = useQuery(noisyAlertsQuery)
  const noisy = data?.filter(({ count }) => count >= NOISY_FROM) ?? []
  if (noisy.length === 0) return null
  return (
    <Card title={words.alerts_noisy()} description={words.alerts_noisy_about()}>
      <ul className="divide-y divide-border">
        {noisy.map(({ alert, systemName, name, target, count }) => (
          <li key={alert} className="flex items-baseline gap-3 py-2">
            <span className="min-w-0 flex-1 truncate">{words.alert_of_system({ alert: alertLabel(name, target), name: systemName })}</span>
            <span className="text-note text-muted tabular-nums">{words.fired_times({ count })}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
