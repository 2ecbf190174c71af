import type { Member, Organization, Role } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Ban, Ellipsis, LogOut, RotateCcw, UserMinus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useUser } from '../../session/account.ts';
import { texts } from '../../texts/members.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Cell, Row } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useLeaving, useMemberRemoval, useMemberUpdate } from './changes.ts';
import { grantableRoles, isServiceAccount, mayManage } from './rights.ts';

interface MemberRowProps {
  readonly team: Organization;
  readonly member: Member;
}

export function MemberRow({ team, member }: MemberRowProps): ReactNode {
  const user = useUser();
  const isSelf = member.userId === user?.id;
  const isService = isServiceAccount(member);
  const isManageable = !isService && mayManage(team.myRole, member.role);
  const update = useMemberUpdate(team, member);
  const { displayName, email, avatarUrl } = member.user;
  const status = <StatusBadge member={member} />;
  const role = isManageable ? (
    <RoleSelect
      team={team}
      member={member}
      onChange={(wanted) => update.mutate({ role: wanted })}
    />
  ) : (
    texts.roles[member.role]
  );
  return (
    <Row>
      <Cell>
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={displayName} url={avatarUrl} size="md" />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 font-medium">
              <span className="max-w-44 truncate sm:max-w-56 lg:max-w-xs">{displayName}</span>
              {isSelf ? <Badge>{texts.you}</Badge> : null}
              <span className="md:hidden">{member.status === 'SUSPENDED' ? status : null}</span>
            </p>
            <p className="max-w-44 truncate text-sm text-ink-muted sm:max-w-56 lg:max-w-xs">
              {isService ? <AccountLink team={team} member={member} /> : email}
            </p>
            <div className="mt-2 text-sm sm:hidden">{role}</div>
          </div>
        </div>
      </Cell>
      <Cell className="hidden w-44 sm:table-cell">{role}</Cell>
      <Cell className="hidden md:table-cell">{status}</Cell>
      <Cell className="hidden whitespace-nowrap text-ink-muted lg:table-cell">
        <Time at={member.joinedAt} />
      </Cell>
      <Cell className="w-14 text-right">
        {isSelf || isManageable ? (
          <RowMenu
            {...{ team, member, isSelf }}
            onSuspend={() => update.mutate({ status: 'SUSPENDED' })}
            onReinstate={() => update.mutate({ status: 'ACTIVE' })}
          />
        ) : null}
      </Cell>
    </Row>
  );
}

/** Names a service account as such; leads to its page, if the user manages it. */
function AccountLink({ team, member: { userId, user } }: MemberRowProps): ReactNode {
  if (!mayManage(team.myRole, 'MEMBER')) return texts.serviceAccount;
  return (
    <Link
      to="/settings/service-accounts/$id"
      params={{ id: userId }}
      aria-label={texts.manageServiceAccount(user.displayName)}
      className="hover:text-ink hover:underline"
    >
      {texts.serviceAccount}
    </Link>
  );
}

function StatusBadge({ member }: { readonly member: Member }): ReactNode {
  return (
    <Badge tone={member.status === 'ACTIVE' ? 'success' : 'warning'}>
      {texts.statuses[member.status]}
    </Badge>
  );
}

interface RoleSelectProps extends MemberRowProps {
  readonly onChange: (role: Role) => void;
}

function RoleSelect({ team, member, onChange }: RoleSelectProps): ReactNode {
  const roles = grantableRoles(team.myRole);
  return (
    <Select
      name="role"
      label={texts.roleOf(member.user.displayName)}
      isLabelHidden
      value={member.role}
      className="max-w-40 min-w-36"
      onChange={({ target }) => {
        const role = roles.find((one) => one === target.value);
        if (role) onChange(role);
      }}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {texts.roles[role]}
        </option>
      ))}
    </Select>
  );
}

interface RowMenuProps extends MemberRowProps {
  readonly isSelf: boolean;
  readonly onSuspend: () => void;
  readonly onReinstate: () => void;
}

type Confirmation = 'suspend' | 'remove' | 'leave';

function RowMenu({ team, member, isSelf, onSuspend, onReinstate }: RowMenuProps): ReactNode {
  const [asked, setAsked] = useState<Confirmation>();
  const name = member.user.displayName;
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actionsFor(name)} />}>
        {isSelf ? (
          <MenuItem icon={LogOut} tone="danger" onSelect={() => setAsked('leave')}>
            {texts.leave}
          </MenuItem>
        ) : (
          <>
            {member.status === 'ACTIVE' ? (
              <MenuItem icon={Ban} onSelect={() => setAsked('suspend')}>
                {texts.suspend}
              </MenuItem>
            ) : (
              <MenuItem icon={RotateCcw} onSelect={onReinstate}>
                {texts.reinstate}
              </MenuItem>
            )}
            <MenuItem icon={UserMinus} tone="danger" onSelect={() => setAsked('remove')}>
              {texts.remove}
            </MenuItem>
          </>
        )}
      </Menu>
      <ConfirmDialog
        isOpen={asked === 'suspend'}
        onClose={() => setAsked(undefined)}
        title={texts.confirmSuspend.title(name)}
        action={texts.suspend}
        onConfirm={() => {
          setAsked(undefined);
          onSuspend();
        }}
      >
        {texts.confirmSuspend.text}
      </ConfirmDialog>
      {asked === 'remove' ? (
        <RemoveDialog {...{ team, member }} onClose={() => setAsked(undefined)} />
      ) : null}
      {asked === 'leave' ? (
        <LeaveDialog team={team} memberId={member.id} onClose={() => setAsked(undefined)} />
      ) : null}
    </>
  );
}

function RemoveDialog({
  team,
  member,
  onClose,
}: MemberRowProps & { readonly onClose: () => void }): ReactNode {
  const removal = useMemberRemoval(team, member);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.confirmRemove.title(member.user.displayName)}
      action={texts.remove}
      isBusy={removal.isPending}
      onConfirm={() => removal.mutate(undefined, { onSettled: onClose })}
    >
      {texts.confirmRemove.text}
    </ConfirmDialog>
  );
}

interface LeaveDialogProps {
  readonly team: Organization;
  /** The user's own membership; undefined while loading. */
  readonly memberId: string | undefined;
  readonly onClose: () => void;
}

/** Asks the user to confirm leaving a team. */
export function LeaveDialog({ team, memberId, onClose }: LeaveDialogProps): ReactNode {
  const leaving = useLeaving(team);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.confirmLeave.title(team.name)}
      action={texts.leave}
      isBusy={leaving.isPending || memberId === undefined}
      onConfirm={() => {
        if (memberId) leaving.mutate(memberId, { onError: onClose });
      }}
    >
      {texts.confirmLeave.text}
    </ConfirmDialog>
  );
}
