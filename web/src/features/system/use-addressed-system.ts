import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { systemAddresses } from '../../api/system-address.ts'
import type { System } from '../../api/system-record.ts'
import { paths } from '../../paths.ts'
import { findSystem } from './find-system.ts'

/**
 * React hook: returns the system that the URL names, by name or id; `undefined` for none. It follows that system by id afterwards. When it
 * is renamed, the URL changes too, and a system that gets its old name is not shown instead.
 */
export function useAddressedSystem(systems: readonly System[] = [], nameOrId: string): System | undefined {
  const [, navigate] = useLocation()
  const [held, setHeld] = useState({ nameOrId, id: '' })
  const kept = held.nameOrId === nameOrId ? systems.find(({ id }) => id === held.id) : undefined
  const system = kept ?? findSystem(systems, nameOrId)
  if (system !== undefined && system !== kept) setHeld({ nameOrId, id: system.id })

  const isRenamed = kept !== undefined && ![kept.name, kept.id].includes(nameOrId)
  const address = isRenamed ? systemAddresses(systems)(kept) : undefined
  useEffect(() => {
    if (address !== undefined) navigate(`${paths.system(address)}${location.search}`, { replace: true, state: history.state })
  }, [address, navigate])
  return system
}
