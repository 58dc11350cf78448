import { startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react'

type OnDemand<P> = ((props: P) => ReactNode) & {
  /**
   * Function that loads the component's code. Resolves when it is loaded, so that the component renders at once; rejects when it cannot be
   * loaded.
   */
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
    const [isLoaded, setLoaded] = useState(Code !== undefined)
    const [failure, setFailure] = useState<{ readonly error: unknown }>()
    useEffect(() => {
      // Not `Code`: another element may have loaded it since this one was rendered, and this one still shows `Waiting`.
      if (!isLoaded) {
        load().then(
          // Rendering a long list must not block the page.
          () => startTransition(() => setLoaded(true)),
          (error: unknown) => setFailure({ error }),
        )
      }
    }, [isLoaded])
    if (Code !== undefined) return <Code {...props} />
    if (failure !== undefined) throw failure.error
    return <Waiting />
  }
  return Object.assign(Shown, { load, preload: () => void load().catch(() => undefined) })
}
