import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isLinkRefused } from '../../api/accounts.ts'
import { isLinkExpired } from '../../api/mailed-link.ts'

/**
 * React hook: returns the mutation `change`, which sends a mailed link's token and one typed text, and `isOver`: the link has expired or
 * was rejected.
 */
export function useMailedChange(token: string, confirm: (token: string, typed: string) => Promise<unknown>) {
  const [wasExpired] = useState(() => isLinkExpired(token, Date.now()))
  const change = useMutation({ mutationFn: (typed: string) => confirm(token, typed) })
  return { change, isOver: wasExpired || isLinkRefused(change.error) }
}
