import { onSessionChange, signedInUser } from './client.ts'
import { queryClient } from './server-query.ts'

/** Listens to session changes until the page is closed: clears the query cache whenever another person signs in or the session ends. */
export function followPerson(): void {
  let personId = signedInUser()?.id
  onSessionChange(() => {
    const nextId = signedInUser()?.id
    if (nextId === personId) return
    personId = nextId
    queryClient.clear()
  })
}
