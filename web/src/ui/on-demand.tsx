import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

type OnDemand<P> = ((props: P) => ReactNode) & {
  /** Function that loads the component's code. Rejects when it cannot be loaded. */
  load: () => Promise<void>
  /** Starts to load the component's code before it is rendered. Ignores failures; the component loads again when rendered. */
  preload: () => void
}

/**
 * Creates a component whose code loads on first render; `Waiting` or nothing is shown meanwhile. A load error is thrown while rendering and
 * retried on remount. It replaces `React.lazy`, whose Suspense delays content by 300 ms.
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
