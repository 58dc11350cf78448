import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import * as words from '../../words/messages.js'

/**
 * React component: note in place of the list when the user sees no systems, with a button that adds the first one. `onAddSystem` is
 * `undefined` for a user who may not add systems.
 */
export const NoSystems = ({ onAddSystem }: { onAddSystem: (() => void) | undefined }) => (
  <EmptyState title={words.no_systems()} detail={onAddSystem === undefined ? words.no_systems_shared() : words.no_systems_first_step()}>
    {onAddSystem !== undefined && (
      <Button look="primary" onClick={onAddSystem}>
        {words.add_system()}
      </Button>
    )}
  </EmptyState>
)
