import { Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { Button } from './button.tsx'

type MenuOnDemandProps = {
  button: ComponentProps<typeof Button>
  /** Starts loading the menu, at the first sign of interest in it. */
  preload: () => void
  /** The menu around its button; it is open when it appears. */
  renderMenu: (trigger: ReactElement) => ReactNode
}

/** A button whose menu is loaded when it is first pressed, so that no page waits for menus nobody opens. */
export function MenuOnDemand({ button, preload, renderMenu }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false)
  const closed = (
    <Button
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return closed
  return <Suspense fallback={closed}>{renderMenu(<Button {...button} />)}</Suspense>
}
