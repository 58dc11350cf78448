import { useHashLocation } from 'wouter/use-hash-location'
import { afterLeaving } from '../navigation/leave.ts'

type NavigateOptions = { readonly replace?: boolean; readonly state?: unknown }

/** The path after `#`. Links to other hubs' back-offices have the search there too, where wouter's own hook takes it out of: `#/logs?level=error`. */
export const useHashAddress = (): [string, typeof navigate] => [partsOf(useHashLocation()[0]).path, navigate]

export const useHashSearch = (): string => partsOf(useHashLocation()[0]).search

useHashAddress.searchHook = useHashSearch

export function partsOf(address: string): { readonly path: string; readonly search: string } {
  const [path = '/', search = ''] = address.split(/\?(.*)/s)
  return { path, search }
}

function navigate(address: string, { replace = false, state = null }: NavigateOptions = {}): void {
  afterLeaving(() => {
    history[replace ? 'replaceState' : 'pushState'](state, '', `#${address}`)
    dispatchEvent(new HashChangeEvent('hashchange'))
  })
}
