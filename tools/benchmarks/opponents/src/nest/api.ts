/**
 * Guards, inputs and controllers of Nest 12 as its guides advise.
 *
 * @see https://docs.nestjs.com/guards
 * @see https://docs.nestjs.com/techniques/validation
 * @see https://docs.nestjs.com/custom-decorators
 */
import {
  Body,
  Controller,
  createParamDecorator,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsString, Length, Max, Min } from 'class-validator';
import { shownAccount, shownComment, shownPage, type AccountRow } from '../../../src/limit/rows.ts';
import { readToken } from '../environment.ts';
import { newComment, type Records } from '../records.ts';

export const RECORDS = Symbol('records');

interface Known {
  readonly headers: Readonly<Record<string, string | undefined>>;
  account?: AccountRow;
  organizationId?: string;
}

@Injectable()
class SignedInGuard implements CanActivate {
  constructor(@Inject(RECORDS) private readonly records: Records) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Known>();
    const claims = readToken(request.headers['authorization']);
    const account = claims && (await this.records.caller(claims));
    if (!account) throw new UnauthorizedException();
    request.account = account;
    return true;
  }
}

@Injectable()
class MemberGuard implements CanActivate {
  constructor(@Inject(RECORDS) private readonly records: Records) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Known>();
    const claims = readToken(request.headers['authorization']);
    const organizationId = request.headers['x-organization-id'] ?? '';
    const account = claims && (await this.records.member(claims, organizationId));
    if (!account) throw new ForbiddenException();
    request.account = account;
    request.organizationId = organizationId;
    return true;
  }
}

const Account = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Known>().account,
);
const OrganizationId = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Known>().organizationId,
);

class PageQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;
}

class CommentBody {
  @IsString()
  @Length(1, 10_000)
  body!: string;
}

@Controller('api/auth')
export class AuthController {
  @Get('user')
  @UseGuards(SignedInGuard)
  user(@Account() account: AccountRow) {
    return { data: shownAccount(account) };
  }
}

@Controller('api/tasks')
@UseGuards(MemberGuard)
export class TaskController {
  constructor(@Inject(RECORDS) private readonly records: Records) {}

  @Get()
  async list(@OrganizationId() organizationId: string, @Query() { limit }: PageQuery) {
    const rows = await this.records.tasks(organizationId, limit + 1);
    return { message: 'Tasks retrieved', data: shownPage(rows, limit) };
  }

  @Post(':taskId/comments')
  async comment(
    @Account() account: AccountRow,
    @OrganizationId() organizationId: string,
    @Param('taskId', ParseUUIDPipe) taskId: string,
    @Body() { body }: CommentBody,
  ) {
    if (account.role === 'VIEWER') throw new ForbiddenException();
    const comment = newComment({ organizationId, authorId: account.id }, { taskId, body });
    if (!(await this.records.post(comment))) throw new NotFoundException();
    return { message: 'Comment posted', data: shownComment(comment, account) };
  }
}
