import { useSyncExternalStore } from 'react'

/** What is shown: the part of the address after `#`, as links to other hubs' back-offices have it. */
export type Address = { readonly path: string; readonly query: Readonly<Record<string, string>> }

export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  return { path: path === '' ? '/' : path, query: Object.fromEntries(new URLSearchParams(query)) }
}

/** `#/logs?filter=…`; what is empty is left out. */
export function hashOf({ path, query }: Address): string {
  const kept = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return `#${path}${kept === '' ? '' : `?${kept}`}`
}

/** Shows another address; with `isStep` the way back leads to the present one. */
export function goTo(address: Address, isStep = true): void {
  if (isStep) location.hash = hashOf(address)
  else {
    history.replaceState(history.state, '', hashOf(address))
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export const useAddress = (): Address => parseAddress(useSyncExternalStore(subscribe, () => location.hash))
