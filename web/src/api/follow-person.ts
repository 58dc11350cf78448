import { onSessionChange, signedInUser } from './client.ts'
import { queryClient } from './server-query.ts'

/**
 * Clears the query cache whenever another user signs in or the session ends, so that no data of one user is shown to another. It works
 * until the browser page is closed.
 */
export function followPerson(): void {
  let personId = signedInUser()?.id
  onSessionChange(() => {
    const nextId = signedInUser()?.id
    if (nextId === personId) return
    personId = nextId
    queryClient.clear()
  })
}
