import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

type OnDemand<P> = ((props: P) => ReactNode) & {
  /** Fetches the code. Rejects when it cannot be fetched. */
  load: () => Promise<void>
  /** Fetches the code if it is likely to be needed soon. A failure is tried again, and thrown, when the component is shown. */
  preload: () => void
}

/**
 * A component whose code is fetched when it is first shown. `Waiting`, or nothing, is shown until then. A fetch that fails is thrown while drawing, for an
 * error boundary, and tried again when the component is mounted anew. This stands in place of React's lazy() and Suspense, which show what once waited
 * 300 ms later at the earliest, even when its code is there: a menu took 310 ms to open, and takes a frame.
 */
export function onDemand<P extends object>(fetchCode: () => Promise<ComponentType<P>>, Waiting: () => ReactNode = () => null): OnDemand<P> {
  let Code: ComponentType<P> | undefined
  const load = async () => {
    Code = await fetchCode()
  }
  function Shown(props: P) {
    const [, setLoaded] = useState(Code !== undefined)
    const [failure, setFailure] = useState<{ readonly error: unknown }>()
    useEffect(() => {
      if (Code === undefined) {
        load().then(
          () => setLoaded(true),
          (error: unknown) => setFailure({ error }),
        )
      }
    }, [])
    if (Code !== undefined) return <Code {...props} />
    if (failure !== undefined) throw failure.error
    return <Waiting />
  }
  return Object.assign(Shown, { load, preload: () => void load().catch(() => undefined) })
}
