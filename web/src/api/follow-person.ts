import { onSessionChange, signedInUser } from './client.ts'
import { queryClient } from './server-query.ts'

/** Forgets everything that was read when somebody else signs in, or nobody is signed in any more. */
export function followPerson(): void {
  let personId = signedInUser()?.id
  onSessionChange(() => {
    const nextId = signedInUser()?.id
    if (nextId === personId) return
    personId = nextId
    queryClient.clear()
  })
}
