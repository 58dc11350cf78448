import { useEffect, useState } from 'react'

/** An element with a tooltip, and when it was pointed at or focused, in milliseconds of `performance.now`. */
export type PointedElement = { readonly element: Element; readonly atMs: number }

/** The first element with a tooltip that is pointed at or focused: what shows tooltips is loaded then. */
export function useFirstTooltip(): PointedElement | undefined {
  const [first, setFirst] = useState<PointedElement>()
  useEffect(() => {
    const enter = ({ target }: Event) => {
      const element = target instanceof Element ? target.closest('[data-tooltip]') : null
      if (element !== null) setFirst((current) => current ?? { element, atMs: performance.now() })
    }
    const events = ['pointerover', 'focusin']
    for (const event of events) document.addEventListener(event, enter)
    return () => {
      for (const event of events) document.removeEventListener(event, enter)
    }
  }, [])
  return first
}
