import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isLinkRefused } from '../../api/accounts.ts'
import { isLinkExpired } from '../../api/mailed-link.ts'

/** A change that a mailed link allows once, with one text that is typed; `isOver`: the link allows nothing any more. */
export function useMailedChange(token: string, confirm: (token: string, typed: string) => Promise<unknown>) {
  const [wasExpired] = useState(() => isLinkExpired(token, Date.now()))
  const change = useMutation({ mutationFn: (typed: string) => confirm(token, typed) })
  return { change, isOver: wasExpired || isLinkRefused(change.error) }
}
