import { readAlert } from './alert-record.ts'
import { signedInUser, type RecordEvent } from './client.ts'
import { follow } from './live-connection.ts'
import { alertsList, alertsQuery, queryClient, systemsList, systemsQuery } from './queries.ts'
import { readSystem } from './system-record.ts'
import { applyEvent } from './apply-event.ts'

/** Keeps the lists of systems and alerts current while a page that shows them all is open. */
export function followFleet(): () => void {
  return follow({
    topics: ['systems/*', 'alerts/*'],
    onEvent: (topic, event) => (topic === 'systems/*' ? writeSystem(event) : writeAlert(event)),
    onConnect: refetchLists,
  })
}

/** Keeps one system current while its page is open. */
export function followSystem(systemId: string): () => void {
  return follow({ topics: [`systems/${systemId}`], onEvent: (_topic, event) => writeSystem(event), onConnect: refetchLists })
}

function writeSystem({ action, record }: RecordEvent): void {
  const system = readSystem(record)
  systemsList.tell(action, system)
  queryClient.setQueryData(systemsQuery.queryKey, (systems) => systems && applyEvent(systems, action, system))
}

function writeAlert({ action, record }: RecordEvent): void {
  // An admin is told of everybody's.
  if (record['user'] !== signedInUser()?.id) return
  const alert = readAlert(record)
  alertsList.tell(action, alert)
  queryClient.setQueryData(alertsQuery.queryKey, (alerts) => alerts && applyEvent(alerts, action, alert))
  void queryClient.invalidateQueries({ queryKey: ['incidents'] })
}

function refetchLists(): void {
  void queryClient.invalidateQueries({ queryKey: systemsQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey })
}
