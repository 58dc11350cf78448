import { readAlert } from './alert-record.ts'
import { readRecordEvent, signedInUser } from './client.ts'
import { follow } from './live-connection.ts'
import { alertsList, alertsQuery, queryClient, storingKey, systemsList, systemsQuery } from './queries.ts'
import { readSystem } from './system-record.ts'
import { applyEvent } from './apply-event.ts'

/** Keeps the lists of systems and alerts current while a page that shows them all is open. */
export function followFleet(): () => void {
  return follow({
    topics: ['systems/*', 'alerts/*', 'storing'],
    onEvent(topic, data) {
      if (topic === 'systems/*') writeSystem(data)
      else if (topic === 'alerts/*') writeAlert(data)
      // A hub that does not reach its database refuses the request for it.
      else queryClient.setQueryData(storingKey, data)
    },
    onConnect: refetchLists,
  })
}

/** Keeps one system current while its page is open. */
export function followSystem(systemId: string): () => void {
  return follow({ topics: [`systems/${systemId}`], onEvent: (_topic, data) => writeSystem(data), onConnect: refetchLists })
}

function writeSystem(data: unknown): void {
  const { action, record } = readRecordEvent(data)
  const system = readSystem(record)
  systemsList.tell(action, system)
  queryClient.setQueryData(systemsQuery.queryKey, (systems) => systems && applyEvent(systems, action, system))
}

function writeAlert(data: unknown): void {
  const { action, record } = readRecordEvent(data)
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
