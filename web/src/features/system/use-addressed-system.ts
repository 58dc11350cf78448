import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { systemAddresses } from '../../api/system-address.ts'
import type { System } from '../../api/system-record.ts'
import { paths } from '../../paths.ts'
import { findSystem } from './find-system.ts'

/**
 * The system that an address names, by its name or id. The page keeps the system that it found: when that is renamed the address
 * follows, and a system that takes its old name is another one.
 */
export function useAddressedSystem(systems: readonly System[] | undefined, nameOrId: string): System | undefined {
  const [, navigate] = useLocation()
  const [held, setHeld] = useState<{ readonly nameOrId: string; readonly id: string }>()
  const kept = held?.nameOrId === nameOrId ? systems?.find(({ id }) => id === held.id) : undefined
  const system = kept ?? (systems && findSystem(systems, nameOrId))
  if (system !== undefined && (held?.nameOrId !== nameOrId || held.id !== system.id)) setHeld({ nameOrId, id: system.id })

  const isRenamed = kept !== undefined && kept.name !== nameOrId && kept.id !== nameOrId
  const address = isRenamed && systems !== undefined ? systemAddresses(systems)(kept) : undefined
  useEffect(() => {
    if (address !== undefined) navigate(`${paths.system(address)}${location.search}`, { replace: true, state: history.state })
  }, [address, navigate])
  return system
}
