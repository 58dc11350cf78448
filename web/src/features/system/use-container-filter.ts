import { useSearchParams } from 'wouter'

/** The filter of the container charts, which stands in the address. */
export function useContainerFilter(): readonly [string, (filter: string) => void] {
  const [search, setSearch] = useSearchParams()
  const set = (filter: string) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current)
        if (filter === '') next.delete('containers')
        else next.set('containers', filter)
        return next
      },
      { replace: true },
    )
  return [search.get('containers') ?? '', set]
}
