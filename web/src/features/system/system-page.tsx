import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { followSystem } from '../../api/follow-system.ts'
import { systemsQuery } from '../../api/queries.ts'
import { messageOf } from '../../api/request-failed.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { useAddressedSystem } from './use-addressed-system.ts'
import { SystemCharts } from './system-charts.tsx'

/** Props of the page of one system. `name` is the system's name or id from the URL. */
type SystemPageProps = { name: string; onDialog: (kind: 'alerts' | 'tags', systemId: string) => void }

export function SystemPage({ name, onDialog }: SystemPageProps) {
  const { data: systems, isError, error, refetch } = useQuery(systemsQuery)
  const system = useAddressedSystem(systems, name)
  usePageTitle(system?.name ?? name)
  const systemId = system?.id
  useEffect(() => (systemId === undefined ? undefined : followSystem(systemId)), [systemId])

  return (
    <main className="mx-auto flex w-full max-w-(--page-width) flex-1 flex-col px-6 pb-10 max-sm:px-3">
      {system !== undefined && (
        <SystemCharts
          key={system.id}
          system={system}
          onAlerts={() => onDialog('alerts', system.id)}
          onTags={() => onDialog('tags', system.id)}
        />
      )}
      {systems === undefined && !isError && <Spinner label={words.loading()} />}
      {systems === undefined && isError && (
        <EmptyState isPage title={words.systems_failed()} detail={messageOf(error)}>
          <Button onClick={() => void refetch()}>{words.retry()}</Button>
        </EmptyState>
      )}
      {systems !== undefined && system === undefined && (
        <div className="mt-6">
          <EmptyState isPage title={words.system_missing({ name })} detail={words.system_missing_detail()}>
            <Link href={paths.home} className="text-accent underline">
              {words.all_systems()}
            </Link>
          </EmptyState>
        </div>
      )}
    </main>
  )
}
