// expect: SAFE
/* A block compressor in the manner of pbzip2, 4 threads: main cuts the input into blocks, a producer puts them into a queue, two consumers
   compress them, and a writer writes them in the input's order. Blocks are run-length encoded; each has a checksum.
   What is asserted: the queue is neither over- nor underfilled, and its flags say what is in it; blocks leave it in order; each block
   is compressed once; they are written in the input's order, all of them; nothing is left at the end. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { BLOCKS = 3, BLOCK_SIZE = 4, PACKED_SIZE = 2 * BLOCK_SIZE, QUEUE_SIZE = 2, CONSUMERS = 2, HEADER_SIZE = 4 };

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

/* ---- the input ---- */

/* By block; written before there are threads. */
static int input_length[BLOCKS];
static unsigned char input_bytes[BLOCKS][BLOCK_SIZE];

/* The last block can be shorter. */
static int length_of_block(int number) {
    int length = BLOCK_SIZE;
    if (number == BLOCKS - 1) {
        length = __VERIFIER_nondet_int();
        if (length < 1 || length > BLOCK_SIZE) exit(1);
    }
    return length;
}

static void read_input(void) {
    for (int number = 0; number < BLOCKS; number++) {
        input_length[number] = length_of_block(number);
        for (int i = 0; i < BLOCK_SIZE; i++) input_bytes[number][i] = __VERIFIER_nondet_uchar();
    }
}

/* ---- the output ---- */

/* By block, under output_lock. */
static int output_ready[BLOCKS]; /* compressed, not yet written */
static int output_length[BLOCKS];
static unsigned output_checksum[BLOCKS];
static unsigned char output_bytes[BLOCKS][PACKED_SIZE];
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t output_changed = PTHREAD_COND_INITIALIZER;

/* The file; the writer's alone while there are threads. */
static unsigned char file_bytes[HEADER_SIZE + BLOCKS * PACKED_SIZE];
static int file_length;

static void write_byte(unsigned char byte) {
    file_bytes[file_length] = byte;
    file_length++;
}

static void write_header(void) {
    write_byte('B');
    write_byte('Z');
    write_byte('h');
    write_byte('0' + BLOCK_SIZE);
}

static void write_block(int number) {
    for (int i = 0; i < output_length[number]; i++) write_byte(output_bytes[number][i]);
}

/* ---- the queue of blocks to be compressed ---- */

typedef struct Queue {
    int head, tail; /* of the ring */
    int count;
    int full, empty;
    int closed;      /* the producer has no more */
    int next_number; /* of the block to be taken next: they leave in order */
} Queue;

static Queue queue;
static int queue_entries[QUEUE_SIZE]; /* numbers of blocks, a ring */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_not_full = PTHREAD_COND_INITIALIZER, queue_not_empty = PTHREAD_COND_INITIALIZER;

static void queue_init(Queue *q) {
    q->head = q->tail = q->count = 0;
    q->full = 0;
    q->empty = 1;
    q->closed = 0;
    q->next_number = 0;
}

/* What holds whenever nobody is in the middle of an operation. */
static void queue_check(const Queue *q) {
    assert(q->count >= 0);
    assert(q->count <= QUEUE_SIZE);
    assert(q->full == (q->count == QUEUE_SIZE));
    assert(q->empty == (q->count == 0));
}

/* With the lock held, and room. */
static void queue_add(Queue *q, int number) {
    assert(!q->full);
    queue_entries[q->tail] = number;
    q->tail++;
    if (q->tail == QUEUE_SIZE) q->tail = 0;
    q->count++;
    q->empty = 0;
    q->full = q->count == QUEUE_SIZE;
    queue_check(q);
}

/* With the lock held, and an entry. */
static int queue_remove(Queue *q) {
    assert(!q->empty);
    int number = queue_entries[q->head];
    q->head++;
    if (q->head == QUEUE_SIZE) q->head = 0;
    q->count--;
    q->full = 0;
    q->empty = q->count == 0;
    queue_check(q);
    return number;
}

/* Waits for room. */
static void queue_put(Queue *q, int number) {
    pthread_mutex_lock(&queue_lock);
    while (q->full) pthread_cond_wait(&queue_not_full, &queue_lock);
    assert(!q->closed);
    queue_add(q, number);
    pthread_cond_signal(&queue_not_empty);
    pthread_mutex_unlock(&queue_lock);
}

/* Waits for an entry; -1 when there will be none. */
static int queue_take(Queue *q) {
    int number = -1;
    pthread_mutex_lock(&queue_lock);
    while (q->empty && !q->closed) pthread_cond_wait(&queue_not_empty, &queue_lock);
    if (!q->empty) {
        number = queue_remove(q);
        assert(number == q->next_number);
        q->next_number++;
        pthread_cond_signal(&queue_not_full);
    }
    pthread_mutex_unlock(&queue_lock);
    return number;
}

static void queue_close(Queue *q) {
    pthread_mutex_lock(&queue_lock);
    assert(!q->closed);
    q->closed = 1;
    pthread_cond_broadcast(&queue_not_empty);
    pthread_mutex_unlock(&queue_lock);
}

/* ---- compression ---- */

/* How often the byte at `from` is repeated from there on. */
static int run_length(const unsigned char *bytes, int length, int from) {
    int n = 1;
    while (from + n < length && bytes[from + n] == bytes[from]) n++;
    return n;
}

/* Runs as pairs of a count and a byte: at most twice as long. */
static int compress(const unsigned char *bytes, int length, unsigned char *packed) {
    int used = 0;
    for (int from = 0; from < length;) {
        int n = run_length(bytes, length, from);
        packed[used] = (unsigned char)n;
        packed[used + 1] = bytes[from];
        used += 2;
        from += n;
    }
    return used;
}

/* Adler's, with a small modulus. */
static unsigned checksum(const unsigned char *bytes, int length) {
    unsigned a = 1, b = 0;
    for (int i = 0; i < length; i++) {
        a = (a + bytes[i]) % 251;
        b = (b + a) % 251;
    }
    return b * 256 + a;
}

/* ---- the threads ---- */

static void *producer(void *unused) {
    (void)unused;
    for (int number = 0; number < BLOCKS; number++) queue_put(&queue, number);
    queue_close(&queue);
    return NULL;
}

/* Hand a compressed block to the writer. */
static void deliver(int number, const unsigned char *packed, int length, unsigned sum) {
    pthread_mutex_lock(&output_lock);
    assert(!output_ready[number]);
    for (int i = 0; i < length; i++) output_bytes[number][i] = packed[i];
    output_length[number] = length;
    output_checksum[number] = sum;
    output_ready[number] = 1;
    pthread_cond_broadcast(&output_changed);
    pthread_mutex_unlock(&output_lock);
}

static void *consumer(void *unused) {
    unsigned char packed[PACKED_SIZE];
    (void)unused;
    for (;;) {
        int number = queue_take(&queue);
        if (number < 0) break;
        assert(number < BLOCKS);
        int length = compress(input_bytes[number], input_length[number], packed);
        deliver(number, packed, length, checksum(input_bytes[number], input_length[number]));
    }
    return NULL;
}

static int written;        /* blocks, by the writer alone */
static unsigned total_sum; /* of their checksums */

/* Waits for the block whose turn it is; with the lock held after. */
static void await_block(int number) {
    pthread_mutex_lock(&output_lock);
    while (!output_ready[number]) pthread_cond_wait(&output_changed, &output_lock);
}

static void *writer(void *unused) {
    (void)unused;
    write_header();
    for (int number = 0; number < BLOCKS; number++) {
        await_block(number);
        assert(output_ready[number]);
        assert(written == number);
        write_block(number);
        total_sum ^= output_checksum[number];
        written++;
        output_ready[number] = 0;
        pthread_mutex_unlock(&output_lock);
    }
    return NULL;
}

/* ---- main ---- */

static pthread_t start(void *(*function)(void *)) {
    pthread_t id;
    if (pthread_create(&id, NULL, function, NULL)) exit(1);
    return id;
}

int main(void) {
    pthread_t producing, consuming[CONSUMERS], writing;
    read_input();
    queue_init(&queue);
    producing = start(producer);
    for (int i = 0; i < CONSUMERS; i++) consuming[i] = start(consumer);
    writing = start(writer);
    pthread_join(producing, NULL);
    for (int i = 0; i < CONSUMERS; i++) pthread_join(consuming[i], NULL);
    pthread_join(writing, NULL);
    queue_check(&queue);
    assert(queue.closed);
    assert(queue.empty);
    assert(queue.next_number == BLOCKS);
    assert(written == BLOCKS);
    return 0;
}
