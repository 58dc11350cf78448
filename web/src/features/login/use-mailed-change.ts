import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isLinkRefused } from '../../api/accounts.ts'
import { isLinkExpired } from '../../api/mailed-link.ts'

/**
 * React hook for pages that emailed links open. `change` is a TanStack Query mutation that calls `confirm` with the link's token and a
 * typed text, such as a new password. `isOver` is true when the link has expired or was rejected.
 */
export function useMailedChange(token: string, confirm: (token: string, typed: string) => Promise<unknown>) {
  const [wasExpired] = useState(() => isLinkExpired(token, Date.now()))
  const change = useMutation({ mutationFn: (typed: string) => confirm(token, typed) })
  return { change, isOver: wasExpired || isLinkRefused(change.error) }
}
