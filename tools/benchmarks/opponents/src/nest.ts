/**
 * Nest 12 with TypeORM, under Express as `nest new` sets it up. Tuned: under Fastify, as its page on performance
 * advises.
 *
 * @see https://docs.nestjs.com/first-steps
 * @see https://docs.nestjs.com/techniques/database
 * @see https://docs.nestjs.com/techniques/performance
 */
import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, ValidationPipe, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { announce, databaseUrl, isTuned, poolSize } from './environment.ts';
import { AuthController, RECORDS, TaskController } from './nest/api.ts';
import { entities } from './nest/entities.ts';
import { RecordsByGuide } from './nest/guide.ts';
import { TunedRecords } from './nest/tuned.ts';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: databaseUrl,
      entities,
      synchronize: false,
      ...(isTuned && { poolSize }),
    }),
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [AuthController, TaskController],
  providers: [{ provide: RECORDS, useClass: isTuned ? TunedRecords : RecordsByGuide }],
})
class AppModule {}

const options = { logger: ['error', 'warn'] as ('error' | 'warn')[] };
const app: INestApplication<Server> = isTuned
  ? await NestFactory.create(AppModule, new FastifyAdapter(), options)
  : await NestFactory.create(AppModule, options);
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(0, '127.0.0.1');
// A server that listens on a port has such an address.
announce((app.getHttpServer().address() as AddressInfo).port);
